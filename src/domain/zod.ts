/** The library of schemas. It would compile each check when it is first asked; a command asks most of them once, and then that costs more than it saves. */
import { z } from 'zod';

z.config({ jitless: true });

export { z };
