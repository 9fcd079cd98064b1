/// The command that writes everything that is stored of a session, an agent, a person, a topic, a
/// time or a workspace.
@NullMarked
package dev.agentmemory.cli.export;

import org.jspecify.annotations.NullMarked;
