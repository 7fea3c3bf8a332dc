from cardgods._core.search.tree import Tree
from cardgods._core.walk import Cancel

def witnesses(tree: Tree, cancel: Cancel) -> tuple[bytes, bytes, bytes]: ...
