package dev.agentmemory.text;

import dev.agentmemory.testkit.WordListContract;

class TextWordListsTest extends WordListContract {}
