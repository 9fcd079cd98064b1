/// Plain counters and figures. What measures itself offers them; what shows them reads them.
@NullMarked
package dev.agentmemory.spi.measure;

import org.jspecify.annotations.NullMarked;
