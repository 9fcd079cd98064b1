package dev.agentmemory.toc;

import dev.agentmemory.testkit.WordListContract;

class TocWordListsTest extends WordListContract {}
