from cardgods._core.games.commerce_rules cimport CommerceRules
from cardgods._core.state cimport Rules, State

cdef class CommerceRulesObject(Rules):
    cdef CommerceRules r

cdef class CommerceState(State):
    pass
