# The game's structs are in eleusis_position.pxd, its moves in eleusis_moves, eleusis_round and eleusis_table.
from cardgods._core.games.eleusis_position cimport EleusisRules
from cardgods._core.state cimport Rules, State

cdef class EleusisRulesObject(Rules):
    cdef EleusisRules r
    cdef readonly tuple texts         # canonical text of each rule, or "human"
    cdef tuple owners                 # the Python objects that own what r.rule points to

cdef class EleusisState(State):
    pass
