import "./styles/tokens.css";
import "./styles/felt.css";
import "./styles/forms.css";

import { mount } from "svelte";
import App from "./App.svelte";
import { session } from "./lib/session.svelte";

const target = document.getElementById("app");
if (target) mount(App, { target });
void session.begin();
