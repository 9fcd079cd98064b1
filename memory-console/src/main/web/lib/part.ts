import {LitElement} from 'lit';

/**
 * A part of a page. Its content is in the document itself, not in a shadow tree, so that the one style
 * sheet, labels and the browser's search reach it. Properties are declared as
 *
 *     static override properties = {name: {attribute: false}};
 *     declare name: string;
 */
export abstract class Part extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
