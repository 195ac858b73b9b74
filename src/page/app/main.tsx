/** The page: who may see it, where it is, and the frame around the view. */
import './app.css';
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Frame } from './frame.tsx';
import { access, enter } from './source.ts';

function App() {
  const state = access.value;
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) return;
    first.current = false;
    void enter();
  }, []);
  if (state === 'waiting') return <main class="alone" aria-busy="true" />;
  if (state === 'none')
    return (
      <main class="alone">
        <h1>harness</h1>
        <p>
          This tab has no access. Run <code>harness ui</code> and open the address it prints.
        </p>
      </main>
    );
  return <Frame />;
}

render(<App />, document.getElementById('app')!);
