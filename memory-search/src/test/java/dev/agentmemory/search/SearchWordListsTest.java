package dev.agentmemory.search;

import dev.agentmemory.testkit.contract.WordListContract;

class SearchWordListsTest extends WordListContract {}
