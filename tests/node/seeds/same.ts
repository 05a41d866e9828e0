/** `mutual<A, B>()` compiles if each of the two types may stand where the other is wanted. */
export function mutual<A extends B, B extends C, C = A>(): void {}
