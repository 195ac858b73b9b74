/** The keyboard: one key a view, and a list of them behind `?`. */
import { linkTo, route, TITLES, VIEWS, go } from './route.ts';

export function listenForKeys(): () => void {
  const hear = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement | null;
    const isTyping = target !== null && (/^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable);
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const dialog = document.querySelector<HTMLDialogElement>('#keys');
    if (event.key === '?') return dialog?.open === true ? dialog.close() : dialog?.showModal();
    if (dialog?.open === true) return;
    const { project, view, subject } = route.peek();
    if (event.key === 'p') return go('#/');
    if (project === null) return;
    const at = Number(event.key);
    const name = VIEWS[at - 1];
    if (name !== undefined) return go(linkTo(project, name));
    if (event.key === 'j' || event.key === 'k') return move(event.key === 'j' ? 1 : -1);
    if (view === 'session' && (event.key === '[' || event.key === ']')) {
      const link = document.querySelector<HTMLAnchorElement>(event.key === '[' ? 'a[rel=prev]' : 'a[rel=next]');
      if (link !== null && subject !== null) go(link.hash);
    }
  };
  addEventListener('keydown', hear);
  return () => removeEventListener('keydown', hear);
}

/** To the next or previous thing that can be opened in the view. */
function move(step: number): void {
  const all = [...document.querySelectorAll<HTMLElement>('main a[href], main summary, main button')];
  const at = all.indexOf(document.activeElement as HTMLElement);
  all.at(at < 0 ? (step > 0 ? 0 : -1) : Math.min(all.length - 1, Math.max(0, at + step)))?.focus();
}

export function Keys() {
  return (
    <dialog id="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl>
        {VIEWS.map((name, at) => (
          <div key={name}>
            <dt>
              <kbd>{at + 1}</kbd>
            </dt>
            <dd>{TITLES[name]}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>j</kbd> <kbd>k</kbd>
          </dt>
          <dd>next and previous link or button</dd>
        </div>
        <div>
          <dt>
            <kbd>[</kbd> <kbd>]</kbd>
          </dt>
          <dd>earlier and later session</dd>
        </div>
        <div>
          <dt>
            <kbd>p</kbd>
          </dt>
          <dd>all projects</dd>
        </div>
        <div>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>this list</dd>
        </div>
      </dl>
      <form method="dialog">
        <button>Close</button>
      </form>
    </dialog>
  );
}
