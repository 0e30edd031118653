// The base of all components. They render into the page itself, because one stylesheet applies to all of them.
import { LitElement } from 'lit';

export class QueenElement extends LitElement {
  createRenderRoot() {
    return this;
  }
}
