/// Reads the table of contents within a budget of tokens.
@NullMarked
package dev.agentmemory.toc.navigate;

import org.jspecify.annotations.NullMarked;
