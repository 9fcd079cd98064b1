/// Texts as the index sees them: terms, traits, snippets, safe Markdown.
@NullMarked
package dev.agentmemory.search.internal.text;

import org.jspecify.annotations.NullMarked;
