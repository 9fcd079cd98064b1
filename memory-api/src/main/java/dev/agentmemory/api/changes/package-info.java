/// What has changed in a workspace: for those that show it and want to read again what they show.
@NullMarked
package dev.agentmemory.api.changes;

import org.jspecify.annotations.NullMarked;
