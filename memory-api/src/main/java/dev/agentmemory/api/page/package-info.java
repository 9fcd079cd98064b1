/// Pages of a list.
@NullMarked
package dev.agentmemory.api.page;

import org.jspecify.annotations.NullMarked;
