// Texts whose contrast to what lies behind them is less than 4.5, the least that most people can read (WCAG 2, level AA).
() => {
  const parts = (color) => {
    const numbers = color.match(/[\d.]+/g).map(Number);
    const scale = color.startsWith('color(') ? 255 : 1;
    return { rgb: numbers.slice(0, 3).map((part) => part * scale), alpha: numbers[3] ?? 1 };
  };
  const luminance = ({ rgb }) => {
    const [r, g, b] = rgb.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const color = parts(getComputedStyle(element).backgroundColor);
    return color.alpha > 0.5 || !element.parentElement ? color : behind(element.parentElement);
  };
  const contrast = (element) => {
    const [dark, light] = [parts(getComputedStyle(element).color), behind(element)].map(luminance).sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = new Set();
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const isSeen = texts.currentNode.textContent.trim() && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (isSeen && !element.closest('option, :disabled, noscript') && contrast(element) < 4.5) {
      found.add(`${texts.currentNode.textContent.trim()} (${contrast(element).toFixed(2)})`);
    }
  }
  return [...found];
}
