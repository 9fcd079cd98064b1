/// The audit log: who did which administrative act, and how it ended.
@NullMarked
package dev.agentmemory.api.audit;

import org.jspecify.annotations.NullMarked;
