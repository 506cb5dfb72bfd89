// A number with its noun.
import { count } from "../../lib/format";

export const several = (count: number, one: string, more: string) => (count === 1 ? `1 ${one}` : `${count} ${more}`);
export const many = (number: number, one: string, more: string) => (number === 1 ? `1 ${one}` : `${count(number)} ${more}`);
