// Every English word of the client stands below `en/`: another language is another such folder.
export { en as words } from "./en";
