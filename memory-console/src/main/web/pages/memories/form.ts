import {html, nothing, type TemplateResult} from 'lit';
import {ApiError, sentence} from '../../lib/api.ts';
import {dialog} from '../../lib/dialog.ts';
import {Part} from '../../lib/part.ts';
import {T} from '../../texts.ts';
import {remember, update, type Memory} from './calls.ts';
import {KINDS, LIFETIMES, SCOPES} from './state.ts';

/** The fields of a memory, to make one or to change it. Event: `saved` with the memory. */
class MemoryForm extends Part {
  static override properties = {memory: {attribute: false}, problem: {state: true}, scope: {state: true}, busy: {state: true}};
  /** The memory that is changed; undefined for a new one. */
  declare memory: Memory | undefined;
  declare problem: string;
  declare scope: string;
  declare busy: boolean;

  constructor() {
    super();
    this.problem = '';
    this.scope = 'workspace';
    this.busy = false;
  }

  /** The dialog is shown before its fields are there. */
  protected override firstUpdated(): void {
    this.querySelector('textarea')?.focus();
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.busy) return;
    const fields = new FormData(event.target as HTMLFormElement);
    const text = (name: string) => String(fields.get(name) ?? '').trim();
    this.busy = true;
    this.problem = '';
    try {
      const saved = this.memory ? await this.#change(this.memory, text) : await this.#make(text);
      this.dispatchEvent(new CustomEvent('saved', {detail: saved}));
    } catch (failure) {
      this.problem = sentence(failure);
      const named = failure instanceof ApiError ? failure.field?.replace(/^.*\./, '').replace(/\[.*/, '') : '';
      this.querySelector<HTMLElement>(`[name="${CSS.escape(named || 'content')}"]`)?.focus();
    } finally {
      this.busy = false;
    }
  }

  #make(text: (name: string) => string): Promise<Memory> {
    const json = text('content_json');
    return remember({
      scope: 'MEMORY_SCOPE_' + text('scope').toUpperCase(),
      ...(text('session_id') ? {sessionId: text('session_id')} : {}),
      ...(text('channel') ? {channel: text('channel')} : {}),
      content: text('content'),
      ...(json ? {contentJson: json} : {}),
      ...common(text),
      tags: words(text('tags')),
      references: words(text('references')),
    });
  }

  /** What is not changed is left out, so that a change of another caller stays. */
  #change(memory: Memory, text: (name: string) => string): Promise<Memory> {
    const json = text('content_json');
    const tags = words(text('tags'));
    const references = words(text('references'));
    const other = text('content') !== (memory.content ?? '').trim() || json !== (memory.contentJson ?? '').trim();
    return update(memory.memoryId, {
      ...(other ? {content: text('content'), ...(json ? {contentJson: json} : {})} : {}),
      ...common(text),
      ...(tags.join() === (memory.tags ?? []).join() ? {} : {tags: {values: tags}}),
      ...(references.join() === (memory.references ?? []).join() ? {} : {references: {values: references}}),
    });
  }

  protected override render() {
    const memory = this.memory;
    const kind = memory?.kind?.replace('RECALL_KIND_', '').toLowerCase() ?? 'observation';
    const lifetime = memory?.lifetime?.replace('MEMORY_LIFETIME_', '').toLowerCase() ?? 'short_term';
    return html`<form @submit=${this.#submit}>
      ${this.problem ? html`<p class="error" role="alert">${this.problem}</p>` : nothing}
      <label>${T.memories.content}<textarea name="content" required rows="4" maxlength="1048576" .value=${memory?.content ?? ''}></textarea></label>
      <div class="bar">
        ${memory ? nothing : choice('scope', T.memories.scope, SCOPES, T.memories.scopes, this.scope, value => (this.scope = value))}
        ${choice('kind', T.memories.kind, KINDS, T.memories.kinds, kind)}
        ${choice('lifetime', T.memories.lifetime, LIFETIMES, T.memories.lifetimes, lifetime)}
        <label>${T.memories.importance}<input name="importance" type="number" min="0" max="1" step="0.01" required .value=${String(memory ? (memory.importance ?? 0) : 0.5)}></label>
      </div>
      ${!memory && this.scope !== 'account'
        ? html`<div class="bar">
            <label>${T.memories.session}<input name="session_id" ?required=${this.scope === 'conversation'}></label>
            <label>${T.memories.channel}<input name="channel" ?required=${this.scope === 'channel'}></label></div>`
        : nothing}
      <label>${T.memories.tags}<input name="tags" .value=${(memory?.tags ?? []).join(', ')} placeholder="security.authentication, api"></label>
      <details ?open=${!!memory?.contentJson || !!memory?.references?.length}><summary>${T.memories.moreFields}</summary>
        <label>${T.memories.contentJson}<textarea name="content_json" rows="3" .value=${memory?.contentJson ?? ''}></textarea></label>
        <label>${T.memories.references}<input name="references" .value=${(memory?.references ?? []).join(', ')}></label>
      </details>
      <div class="buttons">
        <button type="button" @click=${() => this.dispatchEvent(new CustomEvent('leave'))}>${T.dialog.cancel}</button>
        <button type="submit" class="main" ?disabled=${this.busy}>${T.memories.save}</button>
      </div>
    </form>`;
  }
}
customElements.define('am-memory-form', MemoryForm);

function common(text: (name: string) => string): object {
  return {
    kind: 'RECALL_KIND_' + text('kind').toUpperCase(),
    lifetime: 'MEMORY_LIFETIME_' + text('lifetime').toUpperCase(),
    importance: Number(text('importance')),
  };
}

function words(text: string): string[] {
  return text.split(/[,\s]+/).filter(Boolean);
}

/** A field with a few values. */
export function choice(
  name: string,
  label: string,
  values: readonly string[],
  texts: Record<string, string>,
  chosen: string,
  change: (value: string) => void = () => {},
): TemplateResult {
  return html`<label>${label}<select name=${name} @change=${(event: Event) => change((event.target as HTMLSelectElement).value)}>
    ${values.map(value => html`<option value=${value} ?selected=${value === chosen}>${texts[value] ?? value}</option>`)}
  </select></label>`;
}

/** Asks for a new memory, or for changes of one; undefined when it was left. */
export function editMemory(memory?: Memory): Promise<Memory | undefined> {
  return dialog<Memory>(memory ? T.memories.edit : T.memories.create, close => html`<am-memory-form .memory=${memory}
    @saved=${(event: CustomEvent<Memory>) => close(event.detail)} @leave=${() => close()}></am-memory-form>`, 'memory-dialog');
}
