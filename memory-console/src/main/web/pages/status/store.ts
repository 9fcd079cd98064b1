// Sizes of the store and of the index, the cost of the model, and what a check of the store has found.

import {html, nothing, type TemplateResult} from 'lit';
import {withCommands} from '../../lib/commands.ts';
import {bytes, day, number, toNumber} from '../../lib/format.ts';
import {oneLine} from '../../lib/text.ts';
import {T} from '../../texts.ts';
import type {Check, IndexStatus, ModelUsage, Stats, Usage} from './calls.ts';

const MOST_ROWS = 60;

function fact(name: string, value: unknown): TemplateResult {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** What is behind the log, and what could not be applied. */
export function pipelineView(stats: Stats, index: IndexStatus | undefined, retry: () => void, busy: boolean): TemplateResult {
  const head = toNumber(stats.outboxHead);
  const dead = toNumber(stats.deadLetters);
  const refused = Object.entries(stats.refusedEvents ?? {});
  return html`
    ${stats.waitsFor ? html`<p class="warning">${oneLine(stats.waitsFor)}</p>` : nothing}
    <dl class="facts">
      ${(stats.consumers ?? []).map(consumer => fact(oneLine(consumer.name), T.status.behind(Math.max(0, head - toNumber(consumer.cursor)))))}
      ${toNumber(index?.behind) ? fact(T.status.searchIndex, T.status.behind(toNumber(index?.behind))) : nothing}
      ${fact(T.status.contents, stats.tocComplete ? T.status.complete : T.status.dirty(toNumber(stats.dirtyNodes)))}
      ${fact(T.status.dead, dead === 0 ? T.status.noDead : html`<span class="badge bad">${number(dead)}</span>
        <button type="button" class="small" data-retry ?disabled=${busy} @click=${retry}>${T.status.retry}</button>`)}
      ${refused.length
        ? fact(T.status.refused, html`${refused.map(([field, count]) => html`${oneLine(field)}: ${number(count)} `)}
            <span class="soft">${oneLine(stats.lastRefusal)}</span>`)
        : nothing}
    </dl>`;
}

export function sizesView(stats: Stats, index: IndexStatus | undefined, usage: Usage | undefined): TemplateResult {
  const tables = [...(usage?.tables ?? [])].sort((a, b) => toNumber(b.diskBytes) - toNumber(a.diskBytes)).filter(table => toNumber(table.diskBytes) > 0);
  const most = Math.max(1, toNumber(tables[0]?.diskBytes));
  return html`<dl class="facts">
      ${fact(T.status.store, bytes(stats.diskBytes))}
      ${index ? fact(T.status.searchIndex, bytes(index.diskBytes)) : nothing}
      ${fact(T.status.events, number(stats.events))}
      ${usage
        ? html`${fact(T.status.sessions, number(usage.sessions))}${fact(T.status.segments, number(usage.segments))}
            ${fact(T.status.nodes, T.status.versions(number(usage.nodes), number(usage.nodeVersions)))}${fact(T.status.grips, number(usage.grips))}
            ${fact(T.status.records, number(usage.records))}`
        : nothing}
      ${index
        ? html`${fact(T.status.found, T.status.foundOf(number(index.events), number(index.summaries)))}
            ${fact(T.status.embedded, index.model ? T.status.embeddedOf(number(index.embedded), oneLine(index.model)) : T.status.noModel)}`
        : nothing}
    </dl>
    ${index && !index.complete ? html`<p class="warning">${T.status.rebuilding(index.rebuilt ?? 0)}</p>` : nothing}
    ${index?.waitsFor ? html`<p class="warning">${oneLine(index.waitsFor)}</p>` : nothing}
    ${tables.length
      ? html`<table class="tables"><caption>${T.status.tables}</caption><tbody>${tables.map(table => html`<tr><th scope="row">${oneLine(table.table)}</th>
          <td><meter min="0" max=${most} .value=${toNumber(table.diskBytes)} aria-label=${oneLine(table.table)}></meter></td><td>${bytes(table.diskBytes)}</td></tr>`)}</tbody></table>`
      : nothing}`;
}

/** What the model has cost, against its budget. */
export function modelView(stats: Stats, usage: ModelUsage | undefined): TemplateResult {
  const {name, tokensToday, dailyTokenBudget, nodesWait, waitsFor} = stats.summarizer ?? {};
  const budget = toNumber(dailyTokenBudget);
  const rows = usage?.rows ?? [];
  return html`
    <p>${T.status.summarizer} <b>${oneLine(name)}</b>${nodesWait ? html` <span class="badge warn">${T.status.nodesWait}</span>` : nothing}</p>
    ${waitsFor ? html`<p class="warning">${oneLine(waitsFor)}</p>` : nothing}
    ${tokensToday === undefined
      ? html`<p class="soft">${T.status.noCost}</p>`
      : html`<p>${budget ? T.status.tokensOf(number(tokensToday), number(budget)) : T.status.tokens(number(tokensToday))}
          ${budget ? html`<meter min="0" max=${budget} high=${budget * 0.9} .value=${toNumber(tokensToday)} aria-label=${T.status.budget}></meter>` : nothing}</p>`}
    ${rows.length
      ? html`<table class="cost"><caption>${T.status.costs(usage?.days ?? 0)}</caption>
          <thead><tr><th scope="col">${T.status.day}</th><th scope="col">${T.status.model}</th><th scope="col">${T.status.calls}</th><th scope="col">${T.status.inOut}</th></tr></thead>
          <tbody>${rows.slice(0, MOST_ROWS).map(row => html`<tr><th scope="row">${day(row.day)}</th><td>${oneLine(row.model)}</td>
            <td>${number(row.sums?.calls)}${toNumber(row.sums?.failedCalls) ? html` <span class="badge bad">${T.status.failedCalls(number(row.sums?.failedCalls))}</span>` : nothing}</td>
            <td>${number(row.sums?.inputTokens)} + ${number(row.sums?.outputTokens)}</td></tr>`)}</tbody></table>`
      : nothing}`;
}

export function findingsView({count, findings}: Check): TemplateResult {
  if (count === 0) return html`<p><span class="badge good">${T.status.noFindings}</span></p>`;
  return html`<p><span class="badge bad">${T.status.findings(count)}</span> ${withCommands(T.status.findingsHelp)}</p>
    <ul class="findings">${findings.map(({table, key, problem}) => html`<li><b>${oneLine(table)}</b> <code>${oneLine(key)}</code> ${oneLine(problem)}</li>`)}</ul>`;
}
