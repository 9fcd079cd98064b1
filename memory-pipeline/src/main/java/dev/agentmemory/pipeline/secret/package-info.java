/// Finds secrets in texts and masks them.
@NullMarked
package dev.agentmemory.pipeline.secret;

import org.jspecify.annotations.NullMarked;
