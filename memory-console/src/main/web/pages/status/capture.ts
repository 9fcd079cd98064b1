// Whether the sessions of agents are recorded.

import {html, nothing, type TemplateResult} from 'lit';
import {withCopy} from '../../lib/commands.ts';
import {ago, dateTime, toNumber} from '../../lib/format.ts';
import {Part} from '../../lib/part.ts';
import {Roving} from '../../lib/roving.ts';
import {oneLine} from '../../lib/text.ts';
import {T} from '../../texts.ts';
import type {AgentCapture, Capture} from './calls.ts';

type State = 'good' | 'warn' | 'absent';

const SIGNS: Record<State, string> = {good: '●', warn: '▲', absent: '○'};

function signView(state: State): TemplateResult {
  const text = {good: T.status.good, warn: T.status.needsWork, absent: T.status.absent}[state];
  return html`<span class="sign ${state}" role="img" aria-label=${text} title=${text}>${SIGNS[state]}</span>`;
}

function remedyView(remedy: string | undefined): TemplateResult | typeof nothing {
  return remedy ? html`<span class="remedy">${withCopy(remedy)}</span>` : nothing;
}

/** An agent that has no settings here is no problem. */
function stateOf(agent: AgentCapture): State {
  if (!agent.good) return 'warn';
  return agent.state === 'AGENT_CAPTURE_STATE_CONNECTED' ? 'good' : 'absent';
}

function agentView(agent: AgentCapture): TemplateResult {
  return html`<li data-item>${signView(stateOf(agent))} <b>${oneLine(agent.agent)}</b>
    <span>${withCopy(agent.found ?? '')}</span>
    ${toNumber(agent.lastEventMs) > 0
      ? html`<span class="soft" title=${dateTime(agent.lastEventMs!)}>${T.status.lastEvent(ago(agent.lastEventMs!), oneLine(agent.lastEvent))}</span>`
      : nothing}
    ${toNumber(agent.lastUnansweredMs) > 0
      ? html`<span class="soft">${T.status.lastUnanswered(ago(agent.lastUnansweredMs!))}</span>`
      : nothing}
    ${remedyView(agent.remedy)}</li>`;
}

/** `<am-capture .capture=${capture}>` */
class CapturePart extends Part {
  static override properties = {capture: {attribute: false}};
  declare capture: Capture;

  constructor() {
    super();
    this.capture = {};
    new Roving(this);
  }

  protected override render() {
    const {recorded, sentence, agents = [], spool = {}} = this.capture;
    const waiting = toNumber(spool.waiting);
    return html`
      ${recorded ? nothing : html`<p class="warning">${withCopy(T.status.notRecorded(sentence ?? ''))}</p>`}
      <ul role="list" class="lines">${agents.map(agentView)}
        <li data-item>${signView(spool.good ? 'good' : 'warn')} <b>${T.status.spool}</b>
          <span>${waiting === 0 ? T.status.spoolEmpty : T.status.spoolWaiting(waiting)}</span>
          ${toNumber(spool.oldestMs) > 0 ? html`<span class="soft">${T.status.oldest(ago(spool.oldestMs!))}</span>` : nothing}
          ${toNumber(spool.rejected) > 0 ? html`<span>${T.status.spoolRejected(toNumber(spool.rejected))}</span>` : nothing}
          ${remedyView(spool.remedy)}</li></ul>`;
  }
}
customElements.define('am-capture', CapturePart);
