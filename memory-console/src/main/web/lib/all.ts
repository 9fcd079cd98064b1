// Everything that pages share. Each page loads it (through page.ts), so that the bundler puts it into
// one file, and not into one for each combination of pages that use a part of it. The shell and the start
// page are in it, too, so that the browser needs only this one to start.

import '../app.ts';
import './api.ts';
import './changes.ts';
import './commands.ts';
import './dialog.ts';
import './evidence.ts';
import './folds.ts';
import './format.ts';
import './heights.ts';
import './keys.ts';
import './list.ts';
import './part.ts';
import './place.ts';
import './roving.ts';
import './router.ts';
import './session.ts';
import './steady.ts';
import './text.ts';
import './turn.ts';
import '../texts.ts';
import 'lit';
import 'lit/directives/repeat.js';
