"""The exceptions that users can cause; each is one clear line and knows its exit code."""


class CardgodsError(Exception):
    """Base of every error that a user's input can cause."""

    exit_code = 2
    """Exit code of the command line when this error ends a command."""


class ParameterError(CardgodsError, ValueError):
    """An unknown game, variant or option, or a value that it does not take."""


class IllegalActionError(CardgodsError, ValueError):
    """An action that the rules do not allow now; the state is left as it was."""

    exit_code = 6


class ActionTextError(CardgodsError, ValueError):
    """A text that is no action here, or that names more than one."""

    exit_code = 6


class CardTextError(CardgodsError, ValueError):
    """A text that is no card under the language in force, or that reads two ways."""


class RuleTextError(CardgodsError, ValueError):
    """A text that is no rule of Eleusis.

    Attributes:
        column: where in the text, counted from 1; 0 if it is no single place.
    """

    def __init__(self, message: str, column: int = 0) -> None:
        super().__init__(f"column {column}: {message}" if column else message)
        self.column = column


class SolveError(CardgodsError):
    """A solver cannot or will not take this game; the message says why."""


class AgentError(CardgodsError):
    """An agent failed or chose what the rules do not allow."""

    exit_code = 7


class MissingExtraError(CardgodsError):
    """An optional dependency is not installed; the message has the command that installs it."""


def shown(value: object, limit: int = 60) -> str:
    """Any value in few characters, for a message: a wrong one can be of any size, or fail to show itself."""
    try:
        text = repr(value)
    except Exception:
        # A number of thousands of digits, for one.
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= limit else f"{text[:limit]}..."
