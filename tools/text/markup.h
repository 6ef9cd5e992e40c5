// Text inside HTML, SVG and XML.
#pragma once

#include <string>

namespace arenaproof {

// By the rule of names.h, which leaves no character that XML does not take, with &, <, > and " as entities.
std::string Escaped(const std::string& text);

//  name="value", with the space in front.
std::string Attribute(const char* name, const std::string& value);

// A page that needs no other file.
std::string HtmlPage(const std::string& title, const std::string& body);

}  // namespace arenaproof
