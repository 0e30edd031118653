// A chart over time. ECharts is large, so it is loaded with the first chart.
import { html, nothing } from 'lit';
import { repeat } from 'lit-html/directives/repeat.js';
import { QueenElement } from '../core/element.js';
import * as format from '../core/format.js';
import { card } from './table.js';

let echarts;

class UiChart extends QueenElement {
  static properties = { series: { attribute: false }, unit: {}, label: {}, kind: {}, axis: { attribute: false } };

  #chart = null;
  #resize = new ResizeObserver(() => this.#chart?.resize());
  #onTheme = () => this.#draw();

  constructor() {
    super();
    this.series = [];
    this.unit = 'number';
    this.kind = 'line';
    this.label = '';
    this.axis = null;
  }

  connectedCallback() {
    super.connectedCallback();
    window.addEventListener('queen-theme', this.#onTheme);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', this.#onTheme);
    if (this.#chart) this.#resize.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener('queen-theme', this.#onTheme);
    matchMedia('(prefers-color-scheme: dark)').removeEventListener('change', this.#onTheme);
    this.#resize.disconnect();
    this.#chart?.dispose();
    this.#chart = null;
  }

  render() {
    return html`<div class="canvas" role="img" aria-label=${this.label}></div>`;
  }

  async updated() {
    echarts ??= await import('echarts');
    if (!this.isConnected) return;
    if (!this.#chart) {
      this.#chart = echarts.init(this.querySelector('.canvas'), null, { renderer: 'canvas' });
      this.#resize.observe(this);
    }
    this.#draw();
  }

  #draw() {
    this.#chart?.setOption(this.#options(), { notMerge: false, lazyUpdate: true, replaceMerge: ['series'] });
  }

  #options() {
    const text = color('--muted');
    const show = format[this.unit];
    return {
      animation: false,
      textStyle: { fontFamily: 'system-ui, sans-serif', fontSize: 11, color: text },
      grid: {
        left: 8,
        right: 12,
        top: this.series.length > 1 ? 32 : 12,
        bottom: 4,
        outerBoundsMode: 'same',
        outerBoundsContain: 'axisLabel',
      },
      legend: {
        show: this.series.length > 1,
        top: 0,
        left: 4,
        icon: 'roundRect',
        itemWidth: 10,
        itemHeight: 3,
        itemGap: 16,
        textStyle: { color: text, fontSize: 12 },
        inactiveColor: color('--line'),
      },
      tooltip: {
        trigger: 'axis',
        backgroundColor: color('--surface'),
        borderColor: color('--line'),
        borderWidth: 1,
        padding: 0,
        axisPointer: { lineStyle: { color: color('--faint') } },
        formatter: (points) => tip(points, show),
        transitionDuration: 0,
      },
      xAxis: {
        type: 'time',
        min: this.axis?.min,
        max: this.axis?.max,
        axisLine: { lineStyle: { color: color('--line') } },
        axisTick: { show: false },
        axisLabel: { color: text, hideOverlap: true, fontSize: 11 },
        splitLine: { show: false },
      },
      yAxis: {
        type: 'value',
        min: 0,
        splitNumber: 4,
        minInterval: this.unit === 'number' ? 1 : undefined,
        ...this.#steps(),
        axisLabel: { color: text, fontSize: 11, formatter: show },
        splitLine: { lineStyle: { color: color('--line'), opacity: 0.6 } },
      },
      series: this.series.map((each) => this.#line(each)),
    };
  }

  /** Axis intervals of bytes are powers of two; ECharts computes others. */
  #steps() {
    if (this.unit !== 'bytes') return {};
    const max = Math.max(1, ...this.series.flatMap((each) => each.points.map((point) => point[1])));
    const interval = 2 ** Math.ceil(Math.log2(max / 4));
    return { interval, max: Math.ceil(max / interval) * interval };
  }

  #line(series) {
    const main = color(series.color);
    return {
      name: series.name,
      type: this.kind,
      data: series.points,
      showSymbol: false,
      symbolSize: 5,
      lineStyle: { width: 1.75, color: main },
      itemStyle: { color: main, borderRadius: 2 },
      barMaxWidth: 10,
      areaStyle: this.kind === 'line' ? { color: main, opacity: series.isFlat ? 0 : 0.1 } : undefined,
      emphasis: { disabled: true },
      stack: this.kind === 'bar' ? 'all' : undefined,
    };
  }
}

/** Creates nodes, because the content security policy rejects styles in markup. */
function tip(points, show) {
  const box = document.createElement('div');
  box.className = 'tip';
  const head = document.createElement('strong');
  head.textContent = new Date(points[0].value[0]).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' });
  box.append(head);
  for (const point of points) {
    const row = document.createElement('div');
    const dot = document.createElement('i');
    dot.style.background = point.color;
    const name = document.createElement('span');
    name.textContent = point.seriesName;
    const value = document.createElement('b');
    value.textContent = show(point.value[1]);
    row.append(dot, name, value);
    box.append(row);
  }
  return box;
}

/** Returns the value of a color variable, which depends on the theme. */
function color(token) {
  const probe = document.createElement('i');
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

customElements.define('ui-chart', UiChart);

/**
 * A card with a chart, or with a sentence if there are no values.
 * @param options {kind: line|bar, aside, axis: as returned by axisOf}
 */
export function chartCard(title, unit, series, { kind = 'line', aside, axis } = {}) {
  const body = hasValues(series)
    ? html`<ui-chart .series=${series} .axis=${axis} unit=${unit} kind=${kind} label=${title}></ui-chart>`
    : html`<p class="no-values">No values in this range.</p>`;
  return card(title, body, aside);
}

/**
 * Charts with the same time axis. Charts without values are only named, so that the others are visible without scrolling.
 * @param charts [{title, unit, series, kind}], in order of importance
 */
export function chartGrid(axis, charts) {
  const shown = charts.filter((chart) => hasValues(chart.series));
  const rest = charts.filter((chart) => !hasValues(chart.series));
  return html`<div class="columns">
      ${repeat(
        shown,
        (chart) => chart.title,
        (chart) => chartCard(chart.title, chart.unit, chart.series, { kind: chart.kind, axis }),
      )}
    </div>
    ${rest.length ? html`<p class="no-values card">No values in this range: ${rest.map((chart) => chart.title).join(', ')}.</p>` : nothing}`;
}

function hasValues(series) {
  return series.some((each) => each.points.some((point) => point[1] > 0));
}
