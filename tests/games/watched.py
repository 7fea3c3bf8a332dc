"""An agent whose choices are held against what its seat may know."""

import collections

from cardgods import Random


class Watched:
    """An agent that is asked again in another world that it cannot tell from this one."""

    def __init__(self, agent):
        self.agent = agent
        self.phases = collections.Counter()

    def choose(self, state, player, rng):
        world = state.resample(player, Random("other world"))
        choice = self.agent.choose(state, player, rng.spawn(7))
        assert self.agent.choose(world, player, rng.spawn(7)) == choice
        self.phases[state.phase] += 1
        return choice
