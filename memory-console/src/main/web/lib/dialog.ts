// Dialogs: the browser's own element, which keeps the focus inside and gives it back.

import {html, render, type TemplateResult} from 'lit';
import {T} from '../texts.ts';

/**
 * Shows a dialog.
 *
 * @param content is rendered with a function that closes the dialog with a value
 * @return the value; undefined when it was left with Escape
 */
export function dialog<A>(title: string, content: (close: (value?: A) => void) => TemplateResult, kind = ''): Promise<A | undefined> {
  return new Promise(done => {
    const element = document.createElement('dialog');
    element.className = kind;
    element.setAttribute('aria-labelledby', 'dialog-title');
    let answer: A | undefined;
    const close = (value?: A) => {
      answer = value;
      element.close();
    };
    element.addEventListener('close', () => {
      element.remove();
      done(answer);
    });
    element.addEventListener('click', event => {
      if (event.target === element) close();
    });
    render(html`<div class="dialog-body"><h2 id="dialog-title">${title}</h2>${content(close)}</div>`, element);
    document.body.append(element);
    element.showModal();
  });
}

/**
 * Asks before something is done.
 *
 * @param type a text to be typed before the button can be pressed, such as a count
 */
export function confirm(title: string, question: string | TemplateResult, act: string, type?: string): Promise<boolean> {
  return dialog<boolean>(title, close => {
    const submit = (event: Event) => {
      event.preventDefault();
      const field = (event.target as HTMLFormElement).querySelector('input');
      if (type === undefined || field?.value.trim() === type) close(true);
      else field?.focus();
    };
    const typed = (event: Event) => {
      const field = event.target as HTMLInputElement;
      field.form!.querySelector<HTMLButtonElement>('button[type=submit]')!.disabled = field.value.trim() !== type;
    };
    return html`<form @submit=${submit}>
      <div>${question}</div>
      ${type === undefined ? '' : html`<label>${T.dialog.type(type)} <input autocomplete="off" @input=${typed}></label>`}
      <div class="buttons">
        <button type="button" @click=${() => close(false)}>${T.dialog.cancel}</button>
        <button type="submit" class="main" ?disabled=${type !== undefined}>${act}</button>
      </div>
    </form>`;
  }).then(answer => answer === true);
}
