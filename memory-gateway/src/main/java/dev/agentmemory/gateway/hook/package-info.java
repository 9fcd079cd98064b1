/// What agents' hooks send: by HTTP, by the spool and in the transcripts that they name.
@NullMarked
package dev.agentmemory.gateway.hook;

import org.jspecify.annotations.NullMarked;
