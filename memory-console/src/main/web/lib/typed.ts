/**
 * What is in a field whose text is also in the address. A page is told of an address a moment after it
 * was set; what was typed meanwhile must not be lost.
 */
export class TypedText {
  /** What the field shows. */
  text = '';
  #sent: string[] = [];

  /** Was typed, and is about to be put into the address. */
  typed(text: string): void {
    this.text = text;
    this.#sent.push(text);
  }

  /** The address has this text. */
  opened(text: string): void {
    const at = this.#sent.lastIndexOf(text);
    if (at >= 0) {
      this.#sent.splice(0, at + 1);
    } else {
      this.#sent = [];
      this.text = text;
    }
  }
}
