import {html} from 'lit';
import {Page} from '../lib/page.ts';
import {T} from '../texts.ts';

class Timeline extends Page {
  override heading(): string {
    return T.timeline.heading;
  }

  protected override render() {
    return html`<h1>${T.timeline.heading}</h1>`;
  }
}
customElements.define('am-timeline', Timeline);
