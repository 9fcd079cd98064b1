/// Who may do what.
@NullMarked
package dev.agentmemory.api.access;

import org.jspecify.annotations.NullMarked;
