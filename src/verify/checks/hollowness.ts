/** What hollow code gives: nothing at all, something that is equal to nothing else, or anything one can go on with. */
export type Hollowness = 'nothing' | 'something' | 'anything';
