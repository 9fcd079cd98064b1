import {html, nothing, type TemplateResult} from 'lit';
import {ApiError, Latest, isSuperseded, sentence} from '../../lib/api.ts';
import {dateTime, number, toNumber} from '../../lib/format.ts';
import {Part} from '../../lib/part.ts';
import {linked} from '../../lib/place.ts';
import {segment} from '../../lib/router.ts';
import {oneLine} from '../../lib/text.ts';
import {T} from '../../texts.ts';
import {evidenceOf, history, inspect, one, related, type Former, type Memory, type Standing} from './calls.ts';
import {largeCurve} from './decay.ts';
import {kindOf, scopeOf, words} from './row.ts';

/**
 * One memory with all that is known of it. Events: `loaded`, `edit`, `pin`, `remove`, `evidence` with
 * `{evidence}`.
 */
export class OneMemory extends Part {
  static override properties = {
    memoryId: {attribute: false},
    at: {attribute: false},
    memory: {state: true},
    standing: {state: true},
    former: {state: true},
    referred: {state: true},
    others: {state: true},
    problem: {state: true},
  };
  declare memoryId: string;
  /** The time at which it is seen; undefined is now. */
  declare at: number | undefined;
  declare memory: Memory | undefined;
  declare standing: Standing | undefined;
  declare former: Former[];
  declare referred: Memory[];
  declare others: Map<string, Memory>;
  declare problem: string;
  readonly #reading = new Latest();

  constructor() {
    super();
    this.memoryId = '';
    this.former = [];
    this.referred = [];
    this.others = new Map();
    this.problem = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#reading.stop();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('memoryId')) {
      this.memory = undefined;
      this.former = [];
      this.referred = [];
    }
    if (changed.has('memoryId') || changed.has('at')) void this.read();
  }

  /** Reads it anew. */
  async read(): Promise<void> {
    try {
      await this.#reading.run(async signal => {
        const {memory, standing} = await one(this.memoryId, this.at, signal);
        this.memory = memory;
        this.standing = standing;
        this.problem = '';
        this.#tell('loaded');
        const ids = [...(standing?.replaced ?? []), ...(memory.supersededBy ? [memory.supersededBy] : [])];
        const [former, referred, others] = await Promise.all([
          history(memory.memoryId, signal),
          memory.references?.length ? related(memory.memoryId, signal) : [],
          ids.length > 0 ? inspect(ids.slice(0, 100), this.at, signal) : undefined,
        ]);
        this.former = former;
        this.referred = referred;
        this.others = new Map((others?.memories ?? []).map(other => [other.memoryId, other]));
      });
    } catch (failure) {
      if (isSuperseded(failure)) return;
      this.problem = failure instanceof ApiError && failure.status === 404 ? T.memories.gone : sentence(failure);
    }
  }

  #tell(name: string, detail: object = {}): void {
    this.dispatchEvent(new CustomEvent(name, {detail}));
  }

  protected override render() {
    if (this.problem) return html`<p class="error" role="alert">${this.problem}</p>`;
    const memory = this.memory;
    if (!memory) return html`<p class="soft">${T.loading}</p>`;
    return html`
      <am-text class="content" .text=${memory.content ?? ''}></am-text>
      ${memory.contentJson ? html`<details><summary>${T.memories.contentJson}</summary><am-text class="json" .text=${memory.contentJson}></am-text></details>` : nothing}
      <p class="acts">
        <button @click=${() => this.#tell('edit')}>${T.memories.editShort} <kbd>e</kbd></button>
        <button aria-pressed=${memory.pinned ?? false} @click=${() => this.#tell('pin')}>${memory.pinned ? '★' : '☆'} ${memory.pinned ? T.memories.unpin : T.memories.pin} <kbd>*</kbd></button>
        <button class="bad" @click=${() => this.#tell('remove')}>${T.memories.deleteShort} <kbd>d</kbd></button>
      </p>
      ${this.#evidence(memory)}
      ${this.#standing()}
      ${this.#validity(memory)}
      ${this.#facts(memory)}
      ${this.former.length > 0 ? html`<h2>${T.memories.former}</h2>${this.former.map(formerState)}` : nothing}`;
  }

  #evidence(memory: Memory): TemplateResult {
    const evidence = evidenceOf(memory);
    return html`<h2>${T.memories.evidence}</h2>
      ${evidence.length === 0
        ? html`<p class="soft">${T.memories.noEvidence}</p>`
        : html`<p class="acts">${evidence.map((id, i) => html`<button class="small" @click=${() => this.#tell('evidence', {evidence: id})}>${T.evidence.number(i + 1)}</button>`)}</p>`}`;
  }

  #standing(): TemplateResult | typeof nothing {
    const standing = this.standing;
    if (!standing) return nothing;
    const {importance = 0, decay = 0, frequency = 0, recency = 0} = standing.why ?? {};
    const row = (label: string, factor: number, most: number) => html`<tr><th scope="row">${label}</th>
      <td><meter min="0" max=${most} .value=${factor} aria-label=${label}></meter></td><td class="amount">${number(Math.round(factor * 1000) / 1000)}</td></tr>`;
    return html`<h2>${T.memories.relevance(number(Math.round(standing.relevance * 100) / 100))}</h2>
      <div class="relevance"><table><caption class="small soft">${T.memories.product}</caption><tbody>
        ${row(T.memories.importance, importance, 1)}
        ${row(T.memories.decay, decay, 1)}
        ${row(T.memories.frequency, frequency, Math.max(4, frequency))}
        ${row(T.memories.recency, recency, 1.5)}
      </tbody></table>${largeCurve(standing, this.at ?? Date.now())}</div>`;
  }

  #validity(memory: Memory): TemplateResult {
    const replaced = this.standing?.replaced ?? [];
    const item = (id: string) => html`<a href=${linked('/memories/' + segment(id))}>${words(this.others.get(id)) || oneLine(id)}</a>`;
    return html`<h2>${T.memories.truth}</h2>
      <p>${T.memories.validFrom(dateTime(memory.validFromMs ?? 0))}${memory.supersededMs ? ' ' + T.memories.validTo(dateTime(memory.supersededMs)) : ''}</p>
      ${memory.supersededBy ? html`<p class="replaced-by">${T.memories.replacedBy} ${item(memory.supersededBy)}</p>` : nothing}
      ${replaced.length > 0 ? html`<p>${T.memories.hasReplaced}</p><ul class="has-replaced">${replaced.map(id => html`<li>${item(id)}</li>`)}</ul>` : nothing}`;
  }

  #facts(memory: Memory): TemplateResult {
    const facts: [string, TemplateResult | string][] = [
      [T.memories.kind, kindOf(memory)],
      [T.memories.scope, scopeOf(memory)],
      [T.memories.lifetime, T.memories.lifetimes[memory.lifetime?.replace('MEMORY_LIFETIME_', '').toLowerCase() ?? ''] ?? ''],
      [T.memories.source, oneLine(memory.source)],
      [T.memories.tags, (memory.tags ?? []).map(oneLine).join(', ')],
      [T.memories.session, memory.sessionId ? html`<a href=${linked('/sessions/' + segment(memory.sessionId))}>${oneLine(memory.sessionId)}</a>` : ''],
      [T.memories.channel, oneLine(memory.channel)],
      [T.memories.created, dateTime(memory.createdMs ?? 0)],
      [T.memories.updated, memory.updatedMs !== memory.createdMs ? dateTime(memory.updatedMs ?? 0) : ''],
      [T.memories.lastAccess, memory.lastAccessMs ? dateTime(memory.lastAccessMs) + ' · ' + T.memories.used(toNumber(memory.accessCount)) : T.memories.never],
      [T.memories.id, html`<code>${'memory://memory/' + oneLine(memory.memoryId)}</code>`],
    ];
    return html`<h2>${T.memories.facts}</h2>
      <dl>${facts.filter(([, text]) => text !== '').map(([label, text]) => html`<div><dt>${label}</dt><dd>${text}</dd></div>`)}</dl>
      ${this.referred.length > 0
        ? html`<h2>${T.memories.refersTo}</h2><ul>${this.referred.map(other => html`<li><a href=${linked('/memories/' + segment(other.memoryId))}>${words(other)}</a></li>`)}</ul>`
        : nothing}`;
  }
}
customElements.define('am-memory', OneMemory);

function formerState({memory, untilMs, reason}: Former): TemplateResult {
  return html`<details class="former"><summary>${T.memories.until(dateTime(untilMs ?? 0), T.memories.reasons[reason ?? ''] ?? oneLine(reason))}: ${words(memory, 120)}</summary>
    <am-text .text=${memory?.content ?? ''}></am-text>
    <p class="small soft">${memory ? kindOf(memory) : ''} · ${T.memories.importance} ${number(memory?.importance ?? 0)} · ${(memory?.tags ?? []).map(oneLine).join(', ')}</p></details>`;
}
