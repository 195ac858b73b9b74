// What the harness does inside a page, in a world of its own: the page's scripts can neither see nor change it. The body of a function of
// `action` and `input`.
//
// 1. A text is on the page when somebody who looks can read it: not hidden, not transparent, not without size, not in the colour of what is
//    behind it. What fields hold is read like any other text.
// 2. Something is found by what a person calls it: what stands on it, its label, its placeholder; else by its name or id.
const clean = (text) => (text ?? '').replace(/\s+/g, ' ').trim();
const childrenOf = (element) => [...element.children, ...(element.shadowRoot ? element.shadowRoot.children : [])];
const everything = (root) => childrenOf(root).flatMap((child) => [child, ...everything(child)]);
const parentOf = (element) => element.parentElement ?? (element.getRootNode() instanceof ShadowRoot ? element.getRootNode().host : null);
const holds = (outer, inner) => {
  for (let at = inner; at !== null && at !== undefined; at = parentOf(at)) if (at === outer) return true;
  return false;
};
const all = everything(document);
const valueOf = (field) => {
  if (field.tagName === 'SELECT') return [...field.selectedOptions].map((option) => option.label).join(' ');
  return /^(?:hidden|password|checkbox|radio|file)$/.test(field.type) ? '' : field.value;
};
const further = [
  ...all.filter((element) => element.matches('input, textarea, select')).map((element) => [element, valueOf(element)]),
  ...all
    .filter((element) => element.shadowRoot)
    .map((element) => [element, [...element.shadowRoot.children].map((child) => child.innerText ?? '').join(' ')]),
];
const ofText = (element) =>
  [element.innerText ?? '', ...further.filter(([owner]) => holds(element, owner)).map(([, text]) => text)].join(' ');
const hasSize = (element) => {
  const box = element.getBoundingClientRect();
  return box.width > 1 && box.height > 1 && box.right + scrollX > 0 && box.bottom + scrollY > 0;
};
const isShown = (element) =>
  element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) && hasSize(element);
const isReadable = (element) => {
  const style = getComputedStyle(element);
  if (parseFloat(style.fontSize) < 2 || /rgba\(.*, 0\)$/.test(style.color)) return false;
  for (let at = element; at !== null; at = parentOf(at)) {
    const { backgroundColor, backgroundImage } = getComputedStyle(at);
    if (backgroundImage !== 'none') return true;
    if (!/^rgba\(.*, 0\)$|^transparent$/.test(backgroundColor)) return backgroundColor !== style.color;
  }
  return style.color !== 'rgb(255, 255, 255)';
};
const innermost = (element, holds) => {
  if (!holds(element)) return [];
  const deeper = childrenOf(element).flatMap((child) => innermost(child, holds));
  return deeper.length > 0 ? deeper : [element];
};
const showing = (wanted) =>
  document.body === null
    ? []
    : innermost(document.body, (element) => clean(ofText(element)).includes(clean(wanted))).filter(
        (element) => isShown(element) && isReadable(element),
      );
const namesOf = (element) =>
  [
    ...(element.matches('input:not([type=submit], [type=button], [type=reset]), textarea, select') ? [] : [clean(ofText(element))]),
    ...[...(element.labels ?? [])].map((label) => clean(label.innerText)),
    ...['aria-label', 'placeholder', 'title', 'alt', 'value', 'name', 'id'].map((name) => clean(element.getAttribute(name))),
    ...clean(element.getAttribute('aria-labelledby'))
      .split(' ')
      .map((id) => clean(id === '' ? '' : document.getElementById(id)?.innerText)),
  ]
    .filter((name) => name !== '')
    .map((name) => name.toLowerCase());
const FOR_CLICKS =
  'button, a, summary, label, option, input, select, textarea, [role=button], [role=link], [role=tab], [role=menuitem], [role=checkbox], [role=radio], [role=switch], [role=option], [onclick], [tabindex]';
const FOR_TEXT =
  'input:not([type=submit], [type=button], [type=reset], [type=hidden]), textarea, select, [contenteditable=""], [contenteditable=true], [role=textbox]';
const find = ({ selector, name }, among) => {
  if (selector !== undefined) {
    const found = all.filter((element) => element.matches(selector));
    return found.find(isShown) ?? found[0] ?? null;
  }
  const wanted = clean(name).toLowerCase();
  const candidates = all.filter((element) => element.matches(among) && isShown(element));
  return (
    candidates.find((element) => namesOf(element).includes(wanted)) ??
    candidates.find((element) => namesOf(element).some((one) => one.includes(wanted))) ??
    (among === FOR_CLICKS ? (showing(name)[0] ?? null) : null)
  );
};
const deepAt = (x, y) => {
  let found = document.elementFromPoint(x, y);
  while (found?.shadowRoot?.elementFromPoint(x, y) && found.shadowRoot.elementFromPoint(x, y) !== found)
    found = found.shadowRoot.elementFromPoint(x, y);
  return found;
};
const told = (element) => {
  const words = clean(ofText(element)).slice(0, 40);
  return element.tagName.toLowerCase() + (element.id === '' ? '' : '#' + element.id) + (words === '' ? '' : ' "' + words + '"');
};
const pointAt = (element) => {
  if (!isShown(element)) return { problem: 'it is not visible' };
  if (element.disabled) return { problem: 'it is disabled' };
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const box = element.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const hit = deepAt(x, y);
  const isOurs =
    hit !== null && (holds(element, hit) || holds(hit, element) || [...(element.labels ?? [])].some((label) => holds(label, hit)));
  return isOurs ? { x, y } : { problem: hit === null ? 'it is out of sight' : told(hit) + ' covers it' };
};
const set = (element, value) => {
  const owner = element.tagName === 'SELECT' ? HTMLSelectElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(owner.prototype, 'value').set.call(element, value);
  for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true }));
};
const actions = {
  state: () => ({ ready: document.readyState, address: location.href }),
  shows: () => ({
    shown: input.texts.every((text) => (input.where === 'title' ? clean(document.title).includes(clean(text)) : showing(text).length > 0)),
    any: input.texts.some((text) => showing(text).length > 0),
  }),
  text: () => ({ text: document.body === null ? '' : clean(ofText(document.body)).slice(0, 2000) }),
  point: () => {
    const element = find(input, FOR_CLICKS);
    return element === null ? { missing: true } : pointAt(element);
  },
  focus: () => {
    const element = find(input.target, FOR_TEXT);
    if (element === null) return { missing: true };
    if (!isShown(element)) return { problem: 'it is not visible' };
    if (element.disabled || element.readOnly) return { problem: 'it cannot be changed' };
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    element.focus();
    if (element.tagName === 'INPUT' && /^(?:date|time|month|week|datetime-local|color|range)$/.test(element.type)) {
      set(element, input.text);
      return { done: true };
    }
    if (element.tagName === 'INPUT' && /^(?:checkbox|radio|file)$/.test(element.type)) return { problem: 'nothing can be typed there' };
    if (element.select) element.select();
    else getSelection().selectAllChildren(element);
    return { done: false };
  },
  choose: () => {
    const element = find(input.target, 'select');
    if (element === null) return { missing: true };
    const option = [...(element.options ?? [])].find((one) => clean(one.label) === clean(input.option) || one.value === input.option);
    if (option === undefined) return { problem: 'it has no such option' };
    set(element, option.value);
    return { done: true };
  },
  calm: () => {
    const style = document.createElement('style');
    style.textContent =
      '*, *::before, *::after { caret-color: transparent !important; animation: none !important; transition: none !important; }';
    style.dataset.calm = input.mark;
    document.documentElement.append(style);
    return { done: true };
  },
  restore: () => {
    document.querySelector('style[data-calm="' + input.mark + '"]')?.remove();
    return { done: true };
  },
};
return actions[action]();
