/// What an installation changes in the settings of each coding agent, and how it is undone.
@NullMarked
package dev.agentmemory.cli.agent.install;

import org.jspecify.annotations.NullMarked;
