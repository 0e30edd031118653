// The theme: light, dark, or that of the system. Stored in this browser.

const KEY = 'queen.theme';
export const THEMES = ['auto', 'light', 'dark'];

export function theme() {
  const kept = localStorage.getItem(KEY);
  return THEMES.includes(kept) ? kept : 'auto';
}

export function setTheme(name) {
  localStorage.setItem(KEY, name);
  applyTheme();
}

export function applyTheme() {
  document.documentElement.dataset.theme = theme();
  window.dispatchEvent(new Event('queen-theme'));
}
