package dev.agentmemory.text;

import dev.agentmemory.testkit.contract.WordListContract;

class TextWordListsTest extends WordListContract {}
