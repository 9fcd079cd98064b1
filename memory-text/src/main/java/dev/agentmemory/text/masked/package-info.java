/// What masks tell, and what is left of masked secrets in texts that were made before.
@NullMarked
package dev.agentmemory.text.masked;

import org.jspecify.annotations.NullMarked;
