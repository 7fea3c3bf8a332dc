"""The command line of cardgods: no rules in here, only streams, options, views and commands.

What is found by name, so that a new game or command is new files only:

* ``commands/<command>.py``: one command each; ``command`` is its :class:`click.Command`.
* ``solve/<game>.py``: ``command`` is ``cardgods solve <game>``.
* ``views/<game>.py``: how a game is shown (:mod:`cardgods_cli.render`); else the default view does.
"""
