// What all components of the dashboard have in common: one stylesheet styles them all, so they render into the page itself.
import { LitElement } from 'lit';

export class QueenElement extends LitElement {
  createRenderRoot() {
    return this;
  }
}
