'use strict';

const DATA = JSON.parse(document.getElementById('data').textContent);

// Number formats of the page, and decoding of packed numbers.

const number = new Intl.NumberFormat('en-US').format;

const threeDigits = value =>
  value < 9.995 ? value.toFixed(2) : value < 99.95 ? value.toFixed(1) : value < 999.5 ? value.toFixed(0) : number(Math.trunc(value));

const duration = ns => {
  ns = Math.round(ns);
  if (ns < 1000) return `${ns} ns`;
  let value = ns / 1e3, unit = 'µs';
  for (const larger of ['ms', 's']) {
    if (value >= 999.5) [value, unit] = [value / 1e3, larger];
  }
  return `${threeDigits(value)} ${unit}`;
};

// Formats a moment in a unit that suits the length of the trace, with enough digits for moments that are `apart` nanoseconds apart.
const UNIT = DATA.ns < 2e6 ? [1e3, 'µs'] : DATA.ns < 2e9 ? [1e6, 'ms'] : [1e9, 's'];
const moment = (ns, apart) => {
  const digits = Math.min(9, Math.max(0, Math.ceil(Math.log10(UNIT[0]) - Math.log10(Math.max(apart, 1)) - 1e-9)));
  const shown = new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${shown.format(ns / UNIT[0])} ${UNIT[1]}`;
};

// Returns the number that a cell shows, for sorting.
const shownNumber = text => {
  const found = /^([−-]?)([\d,]*\.?\d+)\s*(ns|µs|ms|s|k|M|G)?/.exec(text.replace('<', ''));
  if (!found) return -Infinity;
  const unit = { ns: 1, 'µs': 1e3, ms: 1e6, s: 1e9, k: 1e3, M: 1e6, G: 1e9 }[found[3]] ?? 1;
  return (found[1] ? -1 : 1) * Number(found[2].replaceAll(',', '')) * unit;
};

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

// Decodes all numbers of a packed text.
const decode = text => {
  const numbers = [];
  let value = 0, factor = 1;
  for (const letter of text) {
    const digit = DIGITS.indexOf(letter);
    value += (digit & 31) * factor;
    factor *= 32;
    if (digit < 32) {
      numbers.push(value);
      value = 0;
      factor = 1;
    }
  }
  return numbers;
};

// Decodes a packed series, which contains the number of zeros before each count.
const decodeSeries = (text, length) => {
  const counts = new Float64Array(length);
  const numbers = decode(text);
  for (let at = -1, index = 0; index < numbers.length; index += 2) {
    at += numbers[index] + 1;
    counts[at] = numbers[index + 1];
  }
  return counts;
};

const SVG = 'http://www.w3.org/2000/svg';

const make = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key in made && typeof value !== 'string') made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
};

const draw = (name, attributes = {}, ...children) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
