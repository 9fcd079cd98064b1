/// Finds secrets in texts and masks them.
@NullMarked
package dev.agentmemory.text.secret;

import org.jspecify.annotations.NullMarked;
