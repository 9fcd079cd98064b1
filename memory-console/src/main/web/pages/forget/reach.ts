// The second step: what goes with it, and what stays. Also the counts of the steps after it.

import {html, nothing, type TemplateResult} from 'lit';
import {withCommands} from '../../lib/commands.ts';
import {dateTime, number, toNumber} from '../../lib/format.ts';
import {Part} from '../../lib/part.ts';
import {within} from '../../lib/place.ts';
import {Roving} from '../../lib/roving.ts';
import {nodeAddress, segment} from '../../lib/router.ts';
import {oneLine} from '../../lib/text.ts';
import {T} from '../../texts.ts';
import type {Preview, Receipt, Sample} from './calls.ts';

type Kind = 'EVENT' | 'BULLET' | 'NODE' | 'MEMORY' | 'MENTION';

function kindOf(sample: Sample): string {
  return (sample.kind ?? '').replace('FORGET_SAMPLE_KIND_', '');
}

function addressOf(sample: Sample): string {
  switch (kindOf(sample)) {
    case 'NODE':
    case 'BULLET':
      return nodeAddress(sample.id);
    case 'MEMORY':
      return '/memories/' + segment(sample.id);
    default:
      return '/sessions?event=' + encodeURIComponent(sample.id);
  }
}

/** What may still have some of it, and what to do about it. */
export function remarks(receipt: Receipt, damaged: object[] | undefined): TemplateResult {
  return html`
    ${(receipt.left ?? []).map(left => html`<p class="warning">${withCommands(left)}</p>`)}
    ${(receipt.backups ?? []).length
      ? html`<p class="warning">${withCommands(T.forget.backups)}</p><ul>${receipt.backups!.map(backup => html`<li>${oneLine(backup)}</li>`)}</ul>`
      : nothing}
    ${(damaged ?? receipt.damaged ?? []).length ? html`<p class="warning">${T.forget.damaged}</p>` : nothing}`;
}

/** `<am-forget-reach .preview=${preview} .workspace=${name}>` */
class Reach extends Part {
  static override properties = {preview: {attribute: false}, workspace: {attribute: false}};
  declare preview: Preview;
  declare workspace: string | undefined;

  constructor() {
    super();
    this.preview = {};
    new Roving(this);
  }

  protected override render() {
    const {receipt = {}, bullets, indexEntries, mentions, moreMentions, damaged} = this.preview;
    const topics = Object.entries(receipt.topics ?? {});
    return html`
      <section aria-labelledby="forget-goes"><h2 id="forget-goes">${T.forget.goes}</h2>
        ${this.#group('EVENT', receipt.events, T.forget.events)}
        ${this.#count(receipt.sessions, T.forget.sessions)}
        ${this.#group('MEMORY', receipt.memories, T.forget.memories)}
        ${topics.length ? html`<p class="soft">${topics.map(([topic, count]) => html`${oneLine(topic)}: ${number(count)} `)}</p>` : nothing}
        ${this.#group('BULLET', bullets, T.forget.bullets)}
        ${this.#group('NODE', receipt.nodes, T.forget.nodes)}
        ${this.#count(indexEntries, T.forget.indexEntries)}
        ${toNumber(receipt.files) ? this.#count(receipt.files, T.forget.files) : nothing}
      </section>
      <section aria-labelledby="forget-stays"><h2 id="forget-stays">${T.forget.stays}</h2>
        ${this.#group('MENTION', mentions, count => T.forget.mentions(count, moreMentions === true))}
        ${remarks(receipt, damaged)}
        <p class="soft">${T.forget.notReached}</p>
      </section>`;
  }

  #count(count: string | undefined, text: (count: number) => string): TemplateResult {
    return html`<p class="count">${text(toNumber(count))}</p>`;
  }

  /** A count with samples of it. */
  #group(kind: Kind, count: string | undefined, text: (count: number) => string): TemplateResult {
    const samples = (this.preview.samples ?? []).filter(sample => kindOf(sample) === kind);
    return html`${this.#count(count, text)}
      ${samples.length
        ? html`<ul role="list" class="samples ${kind.toLowerCase()}">${samples.map(sample => html`<li data-item>
            <a href=${within(this.workspace, addressOf(sample))}>${dateTime(sample.timeMs ?? 0)}</a> <span>${oneLine(sample.text)}</span></li>`)}
            ${toNumber(count) > samples.length ? html`<li class="soft">${T.forget.further(toNumber(count) - samples.length)}</li>` : nothing}</ul>`
        : nothing}`;
  }
}
customElements.define('am-forget-reach', Reach);
