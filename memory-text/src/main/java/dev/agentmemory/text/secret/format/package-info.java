/// Characters and formats that secrets consist of.
@NullMarked
package dev.agentmemory.text.secret.format;

import org.jspecify.annotations.NullMarked;
