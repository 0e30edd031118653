// Begins: what must be known before the first page, then the pages themselves.
import './app/queen-app.js';
