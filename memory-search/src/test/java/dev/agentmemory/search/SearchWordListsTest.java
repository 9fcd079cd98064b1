package dev.agentmemory.search;

import dev.agentmemory.testkit.WordListContract;

class SearchWordListsTest extends WordListContract {}
