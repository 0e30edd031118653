// Entry point: loads what the first page requires, then the pages.
import './app/queen-app.js';
