package dev.agentmemory.toc;

import dev.agentmemory.testkit.contract.WordListContract;

class TocWordListsTest extends WordListContract {}
